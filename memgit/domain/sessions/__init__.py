"""Sessions: what agents and people said and did, indexed on this machine and never committed."""
