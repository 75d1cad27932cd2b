/** Where Node finds a package that is asked for from a place in the lock file: beside it, then outwards. */
export function placeOf(packages: Readonly<Record<string, unknown>>, from: string, name: string): string | undefined {
  for (let place = from; ; place = place.slice(0, Math.max(0, place.lastIndexOf('/')))) {
    const candidate = `${place ? `${place}/` : ''}node_modules/${name}`
    if (packages[candidate] !== undefined) return candidate
    if (!place) return undefined
  }
}

/** The line of the lock file where a place begins. */
export function lineOf(text: string, place: string): number {
  const found = text.indexOf(`${JSON.stringify(place)}: {`)
  return text.slice(0, Math.max(0, found)).split('\n').length
}
