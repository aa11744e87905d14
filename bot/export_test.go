package bot

// Decode reads the data of an INTERACTION_CREATE.
var Decode = decode
