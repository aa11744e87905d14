package world

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	"mime"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// KeptFiles is how many bytes of files are kept. The oldest files beyond this limit are removed.
const KeptFiles = 64 << 20

// Upload is an uploaded file as received.
type Upload struct {
	Slot int // n in the field name files[n]
	Name string
	Type string
	Data []byte
}

// File is an upload that is kept as long as its message.
type File struct {
	ID      string `json:"id"`
	Channel string `json:"channel"`
	Message string `json:"message"` // empty for an upload of an interaction
	Name    string `json:"name"`
	Type    string `json:"type"`
	Data    []byte `json:"data"`
	// Description is the sender's alternative text.
	Description string `json:"description,omitempty"`
	// Spoiler hides the file until a reader asks for it.
	Spoiler bool `json:"spoiler,omitempty"`
}

// flagSpoiler is the flag of an attachment that is hidden until a reader asks for it.
const flagSpoiler = 1 << 3

// Attachment is a file as Discord's API shows it.
type Attachment struct {
	ID          string `json:"id"`
	Filename    string `json:"filename"`
	Description string `json:"description,omitempty"`
	ContentType string `json:"content_type,omitempty"`
	Size        int    `json:"size"`
	URL         string `json:"url"`
	ProxyURL    string `json:"proxy_url"`
	Width       int    `json:"width,omitempty"`
	Height      int    `json:"height,omitempty"`
	Ephemeral   bool   `json:"ephemeral,omitempty"`
	Flags       int    `json:"flags,omitempty"`
}

// NewFile makes a file from an upload. The caller stores it.
func (ms *Messages) NewFile(u Upload, channel, message string) *File {
	f := &File{ID: ms.w.NextID(), Channel: channel, Message: message, Name: SecureName(u.Name), Type: u.Type, Data: u.Data}
	if f.Type == "" || f.Type == "application/octet-stream" {
		if f.Type = mime.TypeByExtension(path.Ext(f.Name)); f.Type == "" {
			f.Type = http.DetectContentType(f.Data)
		}
	}
	return f
}

// Attachment returns a file as Discord's API shows it.
func (w *World) Attachment(f *File) Attachment {
	at := fmt.Sprintf("%s/api/cdn/attachments/%s/%s/%s", w.Origin(), f.Channel, f.ID, url.PathEscape(f.Name))
	a := Attachment{ID: f.ID, Filename: f.Name, Description: f.Description, ContentType: f.Type, Size: len(f.Data), URL: at, ProxyURL: at}
	if f.Spoiler || strings.HasPrefix(f.Name, "SPOILER_") {
		a.Flags = flagSpoiler
	}
	if picture, _, err := image.DecodeConfig(bytes.NewReader(f.Data)); err == nil {
		a.Width, a.Height = picture.Width, picture.Height
	}
	return a
}

// SecureName returns a file's name sanitised as Discord does, which works like werkzeug's secure_filename: accents are stripped
// from letters, all remaining characters other than letters, digits and ".-_" are removed, and spaces become underscores.
func SecureName(name string) string {
	var ascii strings.Builder
	for _, r := range name {
		ascii.WriteString(inASCII(r))
	}
	name = strings.Join(strings.Fields(strings.ReplaceAll(ascii.String(), "/", " ")), "_")
	name = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '-', r == '_':
			return r
		}
		return -1
	}, name)
	return cmp.Or(strings.Trim(name, "._"), "unknown")
}

// inASCII returns the ASCII characters of a character's compatibility decomposition (NFKD).
func inASCII(r rune) string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	switch {
	case r <= unicode.MaxASCII:
		return string(r)
	case r >= 0x1D400 && r < 0x1D6A4: // mathematical letters
		return letters[(r-0x1D400)%52:][:1]
	case r >= 0x1D7CE && r < 0x1D800: // mathematical digits
		return string('0' + (r-0x1D7CE)%10)
	case r > 0xFF00 && r < 0xFF5F: // fullwidth characters, in the order of ASCII
		return string(r - 0xFEE0)
	}
	return decompositions()[r]
}

var decompositions = sync.OnceValue(func() map[rune]string {
	found := map[rune]string{}
	for group := range strings.FieldsFuncSeq(decomposed, func(r rune) bool { return r == '|' || r == '\n' }) {
		of := strings.IndexFunc(group, func(r rune) bool { return r > unicode.MaxASCII })
		for _, r := range group[of:] {
			found[r] = group[:of]
		}
	}
	return found
})

// decomposed lists decompositions in ASCII, each followed by the characters that it replaces. It stands in for a package
// that would make the program 80 KB larger. A test compares the list with that package.
const decomposed = " \u00a0\u00a8\u00af\u00b4\u00b8\u02d8\u02d9\u02da\u02db\u02dc\u02dd\u037a\u0384\u0385\u1fbd\u1fbf\u1fc0\u1fc1|" +
	" \u1fcd\u1fce\u1fcf\u1fdd\u1fde\u1fdf\u1fed\u1fee\u1ffd\u1ffe\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007|" +
	" \u2008\u2009\u200a\u2017\u202f\u203e\u205f\u3000\u309b\u309c\ufc5e\ufc5f\ufc60\ufc61\ufc62\ufc63\ufdfb\ufe49|" +
	" \ufe4a\ufe4b\ufe4c\ufe70\ufe72\ufe74\ufe76\ufe78\ufe7a\ufe7c\ufe7e\uffe3|   \ufdfa|\\\ufe68|`\u1fef|" + `
!︕﹗|!!‼|!?⁉|#﹟|$﹩|%﹪|&﹠|(⁽₍︵﹙|()㈀㈁㈂㈃㈄㈅㈆㈇㈈㈉㈊㈋㈌㈍㈎㈏㈐㈑㈒㈓㈔㈕㈖㈗㈘㈙㈚㈛㈜㈝㈞㈠㈡㈢㈣㈤㈥㈦㈧㈨㈩㈪㈫㈬㈭㈮㈯㈰㈱㈲㈳㈴㈵㈶㈷㈸㈹㈺㈻㈼㈽㈾㈿㉀㉁㉂㉃|(1)⑴|(10)⑽|(11)⑾|
(12)⑿|(13)⒀|(14)⒁|(15)⒂|(16)⒃|(17)⒄|(18)⒅|(19)⒆|(2)⑵|(20)⒇|(3)⑶|(4)⑷|(5)⑸|(6)⑹|(7)⑺|(8)⑻|(9)⑼|(A)🄐|(B)🄑|(C)🄒|(D)🄓|(E)🄔|
(F)🄕|(G)🄖|(H)🄗|(I)🄘|(J)🄙|(K)🄚|(L)🄛|(M)🄜|(N)🄝|(O)🄞|(P)🄟|(Q)🄠|(R)🄡|(S)🄢|(T)🄣|(U)🄤|(V)🄥|(W)🄦|(X)🄧|(Y)🄨|(Z)🄩|(a)⒜|(b)⒝|(c)⒞|
(d)⒟|(e)⒠|(f)⒡|(g)⒢|(h)⒣|(i)⒤|(j)⒥|(k)⒦|(l)⒧|(m)⒨|(n)⒩|(o)⒪|(p)⒫|(q)⒬|(r)⒭|(s)⒮|(t)⒯|(u)⒰|(v)⒱|(w)⒲|(x)⒳|(y)⒴|(z)⒵|
)⁾₎︶﹚|*﹡|+⁺₊﬩﹢|,︐﹐|-﹣|.․﹒|..‥︰|...…︙|0⁰₀⓪㍘🯰|0,🄁|0.🄀|03↉|1¹₁⅟①㋀㍙㏠🯱|1,🄂|1.⒈|10⑩㋉㍢㏩|10.⒑|11⑪㋊㍣㏪|11.⒒|110⅒|12½⑫㋋㍤㏫|12.⒓|
13⅓⑬㍥㏬|13.⒔|14¼⑭㍦㏭|14.⒕|15⅕⑮㍧㏮|15.⒖|16⅙⑯㍨㏯|16.⒗|17⅐⑰㍩㏰|17.⒘|18⅛⑱㍪㏱|18.⒙|19⅑⑲㍫㏲|19.⒚|2²₂②㋁㍚㏡🯲|2,🄃|2.⒉|20⑳㍬㏳|20.⒛|21㉑㍭㏴|
22㉒㍮㏵|23⅔㉓㍯㏶|24㉔㍰㏷|25⅖㉕㏸|26㉖㏹|27㉗㏺|28㉘㏻|29㉙㏼|3³₃③㋂㍛㏢🯳|3,🄄|3.⒊|30㉚㏽|31㉛㏾|32㉜|33㉝|34¾㉞|35⅗㉟|36㊱|37㊲|38⅜㊳|39㊴|4⁴₄④㋃㍜㏣🯴|4,🄅|
4.⒋|40㊵|41㊶|42㊷|43㊸|44㊹|45⅘㊺|46㊻|47㊼|48㊽|49㊾|5⁵₅⑤㋄㍝㏤🯵|5,🄆|5.⒌|50㊿|56⅚|58⅝|6⁶₆⑥㋅㍞㏥🯶|6,🄇|6.⒍|7⁷₇⑦㋆㍟㏦🯷|7,🄈|7.⒎|78⅞|
8⁸₈⑧㋇㍠㏧🯸|8,🄉|8.⒏|9⁹₉⑨㋈㍡㏨🯹|9,🄊|9.⒐|:︓﹕|::=⩴|;;︔﹔|<≮﹤|=⁼₌≠﹦|==⩵|===⩶|>≯﹥|?︖﹖|?!⁈|??⁇|@﹫|
AÀÁÂÃÄÅĀĂĄǍǞǠǺȀȂȦᴬḀẠẢẤẦẨẪẬẮẰẲẴẶÅⒶ㎂🄰|AU㍳|Am㏟|BᴮḂḄḆℬⒷ🄱|Bq㏃|CÇĆĈĊČḈℂ℃ℭⅭⒸꟲ🄫🄲|CD🄭|Ckg㏆|Co.㏇|DĎᴰḊḌḎḐḒⅅⅮⒹ🄳|DJ🆐|DZǄǱ|Dzǅǲ|
EÈÉÊËĒĔĖĘĚȄȆȨᴱḔḖḘḚḜẸẺẼẾỀỂỄỆℰⒺ🄴|FḞ℉ℱⒻ㎌ꟳ🄵|FAX℻|GĜĞĠĢǦǴᴳḠⒼ🄶|GB㎇|GHz㎓|GPa㎬|Gy㏉|HĤȞᴴḢḤḦḨḪℋℌℍⒽ🄷|HP㏋|HV🅊|Hg㋌|Hz㎐|
IÌÍÎÏĨĪĬĮİǏȈȊᴵḬḮỈỊℐℑⅠⒾ🄸|IIⅡ|IIIⅢ|IJĲ|IU㍺|IVⅣ|IXⅨ|JĴᴶⒿ🄹|KĶǨᴷḰḲḴKⓀ🄺|KB㎅|KK㏍|KM㏎|LĹĻĽĿᴸḶḸḺḼℒⅬⓁ🄻|LJǇ|LTD㋏|Ljǈ|MᴹḾṀṂℳⅯⓂ㏁🄼|
MB㎆|MC🅪|MD🅫|MHz㎒|MPa㎫|MR🅬|MV㎹🅋|MW㎿|NÑŃŅŇǸᴺṄṆṈṊℕⓃ🄽|NJǊ|Njǋ|No№|OÒÓÔÕÖŌŎŐƠǑǪǬȌȎȪȬȮȰᴼṌṎṐṒỌỎỐỒỔỖỘỚỜỞỠỢⓄ🄾|PᴾṔṖℙⓅ🄿|PH㏗|PPM㏙|
PPV🅎|PR㏚|PTE㉐|Pa㎩|QℚⓆꟴ🅀|RŔŖŘȐȒᴿṘṚṜṞℛℜℝⓇ🄬🅁|Rs₨|SŚŜŞŠȘṠṢṤṦṨⓈ🄪🅂|SD🅌|SM℠|SS🅍|Sv㏜|TŢŤȚᵀṪṬṮṰⓉ🅃|TEL℡|THz㎔|TM™|
UÙÚÛÜŨŪŬŮŰŲƯǓǕǗǙǛȔȖᵁṲṴṶṸṺỤỦỨỪỬỮỰⓊ🅄|VṼṾⅤⓋⱽ㎶🅅|VIⅥ|VIIⅦ|VIIIⅧ|Vm㏞|WŴᵂẀẂẄẆẈⓌ㎼🅆|WC🅏|WZ🄮|Wb㏝|XẊẌⅩⓍ🅇|XIⅪ|XIIⅫ|YÝŶŸȲẎỲỴỶỸⓎ🅈|
ZŹŻŽẐẒẔℤℨⓏ🅉|[﹇|]﹈|_︳︴﹍﹎﹏|aªàáâãäåāăąǎǟǡǻȁȃȧᵃḁẚạảấầẩẫậắằẳẵặₐⓐ|a.m.㏂|a/c℀|a/s℁|bᵇḃḅḇⓑ|bar㍴|cçćĉċčᶜḉⅽⓒ|c/o℅|c/u℆|cal㎈|cc㏄|
cd㏅|cm㎝|cm2㎠|cm3㎤|dďᵈḋḍḏḑḓⅆⅾⓓ|dB㏈|da㍲|dl㎗|dm㍷|dm2㍸|dm3㍹|dzǆǳ|eèéêëēĕėęěȅȇȩᵉḕḗḙḛḝẹẻẽếềểễệₑℯⅇⓔ|eV㋎|erg㋍|fᶠḟⓕ|ffﬀ|ffiﬃ|
fflﬄ|fiﬁ|flﬂ|fm㎙|gĝğġģǧǵᵍḡℊⓖ㎍|gal㏿|hĥȟʰḣḥḧḩḫẖₕℎⓗ|hPa㍱|ha㏊|iìíîïĩīĭįǐȉȋᵢḭḯỉịⁱℹⅈⅰⓘ|iiⅱ|iiiⅲ|ijĳ|in㏌|ivⅳ|ixⅸ|jĵǰʲⅉⓙⱼ|
kķǩᵏḱḳḵₖⓚ㏀|kA㎄|kHz㎑|kPa㎪|kV㎸|kW㎾|kcal㎉|kg㎏|kl㎘|km㎞|km2㎢|km3㎦|kt㏏|lĺļľŀˡḷḹḻḽₗℓⅼⓛ㎕|ljǉ|lm㏐|ln㏑|log㏒|lx㏓|mᵐḿṁṃₘⅿⓜ㎛|m2㎡|m3㎥|
mA㎃|mV㎷|mW㎽|mb㏔|mg㎎|mil㏕|ml㎖|mm㎜|mm2㎟|mm3㎣|mol㏖|ms㎧㎳|ms2㎨|nñńņňŉǹṅṇṉṋⁿₙⓝ|nA㎁|nF㎋|nV㎵|nW㎻|njǌ|nm㎚|ns㎱|
oºòóôõöōŏőơǒǫǭȍȏȫȭȯȱᵒṍṏṑṓọỏốồổỗộớờởỡợₒℴⓞ|oV㍵|pᵖṕṗₚⓟ|p.m.㏘|pA㎀|pF㎊|pV㎴|pW㎺|pc㍶|ps㎰|qⓠ𐞥|rŕŗřȑȓʳᵣṙṛṝṟⓡ|rad㎭|rads㎮|rads2㎯|
sśŝşšſșˢṡṣṥṧṩẛₛⓢ㎲|sr㏛|stﬅﬆ|tţťțᵗṫṭṯṱẗₜⓣ|uùúûüũūŭůűųưǔǖǘǚǜȕȗᵘᵤṳṵṷṹṻụủứừửữựⓤ|vᵛᵥṽṿⅴⓥ|viⅵ|viiⅶ|viiiⅷ|wŵʷẁẃẅẇẉẘⓦ|xˣẋẍₓⅹⓧ|
xiⅺ|xiiⅻ|yýÿŷȳʸẏẙỳỵỷỹⓨ|zźżžᶻẑẓẕⓩ|{︷﹛|}︸﹜`

// FilesOf returns a message's own files, oldest first, without the files of a forwarded message's snapshot.
func (st *State) FilesOf(m *Message) (files []*File) {
	for _, f := range st.Files {
		if f.Message == m.ID && !slices.ContainsFunc(m.Snapshots, func(s Snapshot) bool { return f.ShownIn(s) }) {
			files = append(files, f)
		}
	}
	slices.SortFunc(files, func(a, b *File) int { return CompareIDs(a.ID, b.ID) })
	return files
}

// ShownIn reports whether the JSON of a value contains the URL of the file.
func (f *File) ShownIn(what any) bool {
	return bytes.Contains(MustJSON(what), fmt.Appendf(nil, "/%s/%s/", f.Channel, f.ID))
}
