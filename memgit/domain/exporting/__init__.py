"""Writing a store's memories out, in shapes that others read: to leave, or to hand them on."""
