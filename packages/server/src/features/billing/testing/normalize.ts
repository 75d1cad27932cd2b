/**
 * Replaces what differs from run to run in an answer, ids and secrets, by their order of appearance. Two answers that
 * mean the same then have the same text.
 */
export function normalizer(): (text: string) => string {
  const names = new Map<string, string>()
  const nameOf = (value: string, kind: string) => {
    const known = names.get(value) ?? `<${kind} ${names.size + 1}>`
    names.set(value, known)
    return known
  }
  return (text) =>
    text
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g, (id) => nameOf(id, 'id'))
      .replace(/"[A-Za-z0-9]{32}"/g, (id) => `"${nameOf(id, 'id')}"`)
      .replace(/(?:tollgate_(?:co|cst|cl|oat)|sandbox_secret)_\w+/g, (secret) => nameOf(secret, 'secret'))
      .replace(/\/pictures\/[\w-]+\./g, '/pictures/<picture>.')
      .replace(/seller[ -]?\d+/gi, '<seller>')
      // Which orders have a number is a rule of its own, with tests of its own.
      .replace(/"(invoice|receipt)_number":(?:"[^"]*"|null)/g, '"$1_number":"<number>"')
}
