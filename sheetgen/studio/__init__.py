"""The page on one's own machine: what the verbs do, in a browser, with every page shown as it will be printed."""
