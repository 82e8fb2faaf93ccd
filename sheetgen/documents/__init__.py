"""What goes on a page: values for forms, and templates turned into HTML. The only home of Jinja."""
