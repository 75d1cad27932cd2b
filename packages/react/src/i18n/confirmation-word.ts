/** Whether the user typed the word that confirms a deletion; capitals and blanks around it do not matter. */
export function matchesWord(typed: string, word: string, locale: string): boolean {
  return typed.trim().toLocaleUpperCase(locale) === word.toLocaleUpperCase(locale)
}
