/** Letters that do not come apart into a plain one and its mark, and the Cyrillic of our languages. */
const spelled: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ł: 'l', ı: 'i', þ: 'th' },
  ...{
    а: 'a',
    б: 'b',
    в: 'v',
    г: 'g',
    ґ: 'g',
    д: 'd',
    е: 'e',
    є: 'ie',
    ж: 'zh',
    з: 'z',
    и: 'i',
    і: 'i',
    й: 'i',
    к: 'k',
  },
  ...{ л: 'l', м: 'm', н: 'n', о: 'o', п: 'p', р: 'r', с: 's', т: 't', у: 'u', ф: 'f', х: 'kh', ц: 'ts', ч: 'ch' },
  ...{ ш: 'sh', щ: 'shch', ъ: '', ы: 'y', ь: '', э: 'e', ю: 'yu', я: 'ya' },
}

/** Most characters of a slug, as the server has it. */
const longest = 64

/** A short name made of a name: "Łódź & Co." → "lodz-co". Empty where nothing of it can be written in a–z and 0–9. */
export function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return [...plain]
    .map((letter) => spelled[letter] ?? letter)
    .join('')
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, longest)
    .replace(/^-|-$/g, '')
}

/** Others to try where a short name is taken: "acme" → "acme-2", "acme-3", "acme-4". */
export const slugsLike = (slug: string): string[] => [2, 3, 4].map((count) => `${slug.slice(0, longest - 2)}-${count}`)
