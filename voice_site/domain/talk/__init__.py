"""The demonstration that talks: from a sentence to slots (`understand.py`), from slots to a reply.

Read `dialogue.py` first. All of it is rules in the standard library. Source: specification V11.1 to V11.6.
"""
