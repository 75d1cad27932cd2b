import { language } from './language.ts'

let zone: string | undefined

/** Draws dates in this zone from now on. A browser has its own; the server sets the viewer's before it draws a page. */
export function setViewerZone(name: string): void {
  zone = name
}

/** The viewer's zone, by its name in the IANA database. */
export const viewerZone = (): string => zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone

/** A format of moments in the viewer's zone. */
export function zonedFormat(
  options: Intl.DateTimeFormatOptions,
  locale: string = language,
): (at: number | string) => string {
  const formats = new Map<string | undefined, Intl.DateTimeFormat>()
  return (at) => {
    const format = formats.get(zone) ?? new Intl.DateTimeFormat(locale, { ...options, ...(zone && { timeZone: zone }) })
    formats.set(zone, format)
    return format.format(new Date(at))
  }
}
