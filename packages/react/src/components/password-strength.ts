export type Strength = 'weak' | 'fair' | 'good' | 'strong'

const rows = ['abcdefghijklmnopqrstuvwxyz', '0123456789', 'qwertyuiop', 'qwertzuiop', 'asdfghjkl', 'zxcvbnm', 'yxcvbnm']
const commonest = /^(passw[o0]rd|qwerty|letmein|welcome|admin|iloveyou|monkey|dragon|football|secret)/i

/**
 * Estimates a password's strength without a dictionary: from its length, its mix of characters, and how much of it
 * repeats or continues. A hint only; the server decides by its own rules.
 */
export function passwordStrength(password: string): Strength {
  const bits = surprisingCharacters(password) * Math.log2(alphabetSize(password) || 1)
  const guessable = commonest.test(password) ? bits / 2 : bits
  if (guessable < 36) return 'weak'
  if (guessable < 52) return 'fair'
  return guessable < 75 ? 'good' : 'strong'
}

/** Characters that neither repeat nor continue the previous one ("aaa", "345", "rew"). */
function surprisingCharacters(password: string): number {
  const characters = [...password.toLowerCase()]
  const fresh = characters.filter((character, at) => {
    const before = characters[at - 1]
    return before === undefined || (character !== before && !isNeighbour(before, character))
  })
  // Slightly more than the number of distinct characters at most: "abababab" is not eight surprises.
  return Math.min(fresh.length, new Set(characters).size * 1.7)
}

function isNeighbour(before: string, character: string): boolean {
  return rows.some((row) => row.includes(before + character) || row.includes(character + before))
}

function alphabetSize(password: string): number {
  const kinds: readonly (readonly [RegExp, number])[] = [
    [/\p{Ll}/u, 26],
    [/\p{Lu}/u, 26],
    [/\d/, 10],
    [/[^\p{L}\d]/u, 30],
    [/\p{Lo}/u, 60],
  ]
  return kinds.reduce((size, [pattern, count]) => (pattern.test(password) ? size + count : size), 0)
}
