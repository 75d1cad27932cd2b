// Users choose their names, and mails go to any typed address. A name such as "Win a phone at evil.example" would make
// our server send a stranger's advertisement. Mail programs link all text that looks like an address, so escaping is
// not enough: the look has to go.

const longestName = 60
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]+/gu
// NFKC has already turned full-width and one-dot-leader forms into a full stop; the ideographic one also separates hosts.
const dotInsideWord = /([.\u3002])(?=\S)/gu
const addressPunctuation = /[/\\@:<>[\]{}|]+/gu

/**
 * A person's or an organization's name, safe for a mail: one line without invisible characters, at most 60 characters,
 * and without text that a mail program could link. Slashes, colons, at signs and brackets become blanks, and a full
 * stop inside a word gets a blank after it ("J.R.R. Tolkien" → "J. R. R. Tolkien").
 */
export const plainName = (name: string): string => {
  const line = name
    .normalize('NFKC')
    .replace(invisible, ' ')
    .replace(addressPunctuation, ' ')
    .replace(dotInsideWord, '$1 ')
    .replace(/\s+/gu, ' ')
    .trim()
  // A character has one unit or more, so a short line needs no count.
  if (line.length <= longestName) return line
  const characters = Array.from(new Intl.Segmenter().segment(line), ({ segment }) => segment)
  return characters.length > longestName ? `${characters.slice(0, longestName).join('').trimEnd()}…` : line
}

/**
 * The application's name, which the operator sets. It stays as written ("Acme.io"), but an invisible word joiner after
 * each inner full stop keeps mail programs from linking it.
 */
export const plainAppName = (appName: string): string =>
  appName
    .replace(invisible, ' ')
    .replace(/[/\\@<>{}]+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(dotInsideWord, '$1\u2060')
