// Written by "npm run generate" from openapi.yaml; do not edit.
