"""Work on whole packs and files: build, check, doctor, preflight, printer profiles."""
