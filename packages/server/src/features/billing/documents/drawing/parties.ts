import type { Address } from '@tollgate/contract/billing-types'
import { fill } from '../../../../foundation/localized-text.ts'
import type { MailLocale } from '../../../../foundation/mail/templates.ts'
import type { DocumentWords } from '../locales/all.ts'
import type { Party } from './document-content.ts'
import { colours, inner, type Sheet, side } from './sheet.ts'

/** The most lines of a name and of each part of an address: both addresses then fit on the first page. */
const nameLimit = 6
const partyLimit = 3

/** The seller and the buyer, side by side, always on the first page. */
export function drawParties(sheet: Sheet): void {
  const { content, words: say } = sheet
  const { seller, buyer, locale } = content
  sheet.line(sheet.y)
  sheet.y += 14
  const width = (inner - 24) / 2
  const sellerName = seller.legalName ?? seller.name
  const columns = [
    { heading: say.seller, party: { ...seller, name: sellerName }, more: seller.website },
    { heading: say.buyer, party: buyer, more: null },
  ]
  const heights = columns.map(({ heading, party, more }, index) => {
    const x = side + index * (width + 24)
    let y = sheet.y + sheet.write(heading, x, sheet.y, width, { size: 8, colour: colours.quiet, as: 'H2' }) + 1
    const country = party.address?.country
    if (party.name) y += sheet.write(party.name, x, y, width, { strong: true, lines: nameLimit, country })
    const texts = [...partyLines(party, say, locale), ...(more ? [more] : [])]
    for (const text of texts) y += sheet.write(text, x, y, width, { lines: partyLimit, country })
    return y
  })
  sheet.y = Math.max(...heights) + 20
}

const partyLines = ({ address, taxId, email }: Party, say: DocumentWords, locale: MailLocale): string[] => [
  ...(address ? addressLines(address, locale) : []),
  ...(taxId ? [fill(say.taxId, { taxId })] : []),
  ...(email ? [email] : []),
]

/** Countries that write the city before the state, and both before the postal code. */
const stateFirst: readonly string[] = ['US', 'CA', 'AU']

function addressLines({ line1, line2, postalCode, city, state, country }: Address, locale: MailLocale): string[] {
  const shortState = state?.replace(/^[A-Z]{2}-/, '') ?? null
  const place = stateFirst.includes(country)
    ? [[city, shortState].filter(Boolean).join(', '), postalCode].filter(Boolean).join(' ')
    : [[postalCode, city].filter(Boolean).join(' '), shortState].filter(Boolean).join(', ')
  const countryName = new Intl.DisplayNames(locale, { type: 'region' }).of(country) ?? country
  return [line1, line2, place, countryName].filter((text): text is string => Boolean(text))
}
