package rest

import (
	"image"
	"image/color"
	"image/png"
	"net/http"
	"strconv"
	"strings"
)

// avatarColours are the colours of Discord's default avatars.
var avatarColours = [...]color.RGBA{
	{0x58, 0x65, 0xF2, 0xFF}, {0x75, 0x7E, 0x8A, 0xFF}, {0x3B, 0xA5, 0x5C, 0xFF},
	{0xFA, 0xA6, 0x1A, 0xFF}, {0xED, 0x42, 0x45, 0xFF}, {0xEB, 0x45, 0x9F, 0xFF},
}

// serveAvatar serves a default avatar, 0.png to 5.png. Simulated users have no other avatars.
func serveAvatar(w http.ResponseWriter, r *http.Request) {
	digits, isPNG := strings.CutSuffix(r.PathValue("name"), ".png")
	n, err := strconv.Atoi(digits)
	if err != nil || !isPNG || n < 0 || n >= len(avatarColours) {
		http.NotFound(w, r)
		return
	}
	plainAvatar(w, n)
}

// plainAvatar writes a picture of a single colour.
func plainAvatar(w http.ResponseWriter, n int) {
	const size = 128
	picture := image.NewPaletted(image.Rect(0, 0, size, size), color.Palette{avatarColours[n%len(avatarColours)]})
	w.Header().Set("Content-Type", "image/png")
	w.Header().Set("Cache-Control", "max-age=86400")
	png.Encode(w, picture) // fails only if the client has disconnected
}
