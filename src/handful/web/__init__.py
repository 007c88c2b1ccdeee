"""The lab in a browser: only routes and renders. Started by `handful serve`; needs the extra `web`."""
