// Names are chosen by whoever signs up, and mails go to whatever address was typed: without care, a name such as
// "Win a phone at evil.example" would make our server send somebody else's advertisement. Mail programs turn everything
// that looks like an address into a link, so escaping markup is not enough; the look itself has to go.

const longestName = 60
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]+/gu
// NFKC has already turned full-width and one-dot-leader forms into a full stop; the ideographic one separates host names too.
const dotInsideWord = /([.\u3002])(?=\S)/gu
const addressPunctuation = /[/\\@:<>[\]{}|]+/gu

/**
 * A person's or an organization's name as it may stand in a mail: one line without invisible characters, at most 60
 * characters, and without anything a mail program could make a link of. Slashes, colons, at signs and brackets become
 * blanks, and a full stop inside a word gets a blank after it ("J.R.R. Tolkien" → "J. R. R. Tolkien").
 */
export const plainName = (name: string): string => {
  const line = name
    .normalize('NFKC')
    .replace(invisible, ' ')
    .replace(addressPunctuation, ' ')
    .replace(dotInsideWord, '$1 ')
    .replace(/\s+/gu, ' ')
    .trim()
  const characters = Array.from(new Intl.Segmenter().segment(line), ({ segment }) => segment)
  return characters.length > longestName ? `${characters.slice(0, longestName).join('').trimEnd()}…` : line
}

/**
 * The application's name, which is the operator's own setting: kept as written ("Acme.io"), but an invisible word joiner
 * after each inner full stop keeps mail programs from making a link of it.
 */
export const plainAppName = (appName: string): string =>
  appName
    .replace(invisible, ' ')
    .replace(/[/\\@<>{}]+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(dotInsideWord, '$1\u2060')
