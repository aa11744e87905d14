package bot

// Decode reads the data of an INTERACTION_CREATE.
var Decode = decode

// Signed reports whether the body was signed, together with the time, by who has the key.
var Signed = signed

// Plain are components as they are sent.
var Plain = plain
