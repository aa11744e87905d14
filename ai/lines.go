package ai

import "tictactoe/game"

// linesOf lists the lines of a board, each as the set of its squares: every run of the required length along a row, a column
// or a diagonal.
func linesOf(rules game.Rules) []uint32 {
	var lines []uint32
	for y := range rules.Height() {
		for x := range rules.Width() {
			for _, step := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}} {
				endX, endY := x+step[0]*(rules.Run()-1), y+step[1]*(rules.Run()-1)
				if endX < 0 || endX >= rules.Width() || endY >= rules.Height() {
					continue
				}
				var line uint32
				for i := range rules.Run() {
					line |= 1 << ((y+step[1]*i)*rules.Width() + x + step[0]*i)
				}
				lines = append(lines, line)
				if rules.Run() == 1 {
					break // a line of one square is the same in all directions
				}
			}
		}
	}
	return lines
}

// images maps sets of squares by symmetries, seven squares at a time: images[y][i][seven] is the image under symmetry y of a set
// of the squares 7i to 7i+6.
type images [][4][128]uint32

func imagesOf(rules game.Rules) images {
	symmetries := rules.Symmetries()
	all := make(images, len(symmetries)-1) // without the identity
	for y := range all {
		for s := range rules.Squares() {
			image := uint32(1) << rules.Image(game.Square(s), symmetries[y+1])
			chunk, bit := s/7, 1<<(s%7)
			for set := range 128 {
				if set&bit != 0 {
					all[y][chunk][set] |= image
				}
			}
		}
	}
	return all
}

// canonical returns the least of all images of two sets of squares, as one number of 50 bits.
func (m images) canonical(a, b uint32) uint64 {
	least := uint64(a)<<25 | uint64(b)
	for y := range m {
		t := &m[y]
		imageA := t[0][a&127] | t[1][a>>7&127] | t[2][a>>14&127] | t[3][a>>21&127]
		imageB := t[0][b&127] | t[1][b>>7&127] | t[2][b>>14&127] | t[3][b>>21&127]
		least = min(least, uint64(imageA)<<25|uint64(imageB))
	}
	return least
}
