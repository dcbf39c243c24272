"""What the site draws and writes at build time, and nothing that the package needs."""
