package endpoint_test

import (
	"strings"
	"testing"

	"tictactoe/bot/endpoint"
)

func TestSignatures(t *testing.T) {
	// The cases are two signatures of RFC 8032, section 7.1, and the signature of a typical request, made with openssl.
	const discord = "1767355200"
	for _, test := range []struct{ name, key, stamp, body, signature string }{
		{"TEST 1", "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "", "",
			"e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"},
		{"TEST 2", "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "\x72", "",
			"92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"},
		{"TEST 3", "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "\xaf", "\x82",
			"6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"},
		{"by openssl", "e6f34e6b0a2ed2c866eeeca7ec512ff2f8ebeb3cf88d4b5fcbc2cec1388f3cb4", discord, `{"type":1}`, "2b37fa77507f62a6fe9d37e9a575428adcc7c5562484236364ac4680b55da1d9e3fe453f649dd70c77d4104d1be4a68ebf3fa8f1d5a08798a0a94693e0a15202"},
	} {
		key, err := endpoint.ParseKey(test.key)
		if err != nil {
			t.Fatal(err)
		}
		if !endpoint.Signed(key, test.stamp, test.signature, []byte(test.body)) {
			t.Errorf("%s is not accepted", test.name)
		}
		for i := range len(test.signature) {
			digit := "0"
			if test.signature[i] == '0' {
				digit = "1"
			}
			if endpoint.Signed(key, test.stamp, test.signature[:i]+digit+test.signature[i+1:], []byte(test.body)) {
				t.Errorf("%s is accepted with another digit %d", test.name, i)
			}
		}
		if endpoint.Signed(key, test.stamp+"0", test.signature, []byte(test.body)) || endpoint.Signed(key, test.stamp, test.signature, []byte(test.body+" ")) {
			t.Errorf("the signature of %s is accepted for another message", test.name)
		}
	}
	// Adding the group order to the second half of a signature makes another signature of the same message, which must be invalid.
	key, _ := endpoint.ParseKey("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
	if endpoint.Signed(key, "", "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901554c8c7872aa064e049dbb3013fbf29380d25bf5f0595bbe24655141438e7a101b", nil) {
		t.Error("a malleable signature is accepted")
	}
	for _, text := range []string{"", "zz", strings.Repeat("5a", 31), strings.Repeat("5a", 33), strings.Repeat("zz", 32)} {
		if key, err := endpoint.ParseKey(text); err == nil {
			t.Errorf("ParseKey(%q) returned the key %x", text, key)
		}
	}
}
