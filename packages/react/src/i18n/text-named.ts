/** The text of a dotted name, such as `team.created`, in a tree of texts; undefined if the tree does not have it. */
export function textNamed(tree: object, name: string): string | undefined {
  let found: unknown = tree
  for (const key of name.split('.'))
    found =
      typeof found === 'object' && found !== null && Object.hasOwn(found, key) ? Reflect.get(found, key) : undefined
  return typeof found === 'string' ? found : undefined
}
