"""The demonstration that talks: from a sentence to slots (`understand.py`), from slots to a reply.

Read `dialogue.py` first. All of it imports the standard library alone.

Source: specification V11.1 to V11.6.
"""
