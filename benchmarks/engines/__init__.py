"""Other engines, asked what a certificate of ours says: the answer of an instance, and which roles are necessary."""
