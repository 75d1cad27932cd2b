import { type RefObject, useEffect, useState } from 'react'
import { countryOfTimeZone } from './countries.ts'

/**
 * The country to preselect: that of the browser's time zone, which follows the buyer further than the languages do,
 * or else that of the languages. What the buyer chose before the script ran stays.
 */
export function useLikelyCountry(form: RefObject<HTMLFormElement | null>, ofLanguages: string | undefined) {
  const [guess, setGuess] = useState({ country: ofLanguages, isFinal: false })
  useEffect(() => {
    const list = form.current?.elements.namedItem('country')
    const chosen = list instanceof HTMLSelectElement && list.value !== ofLanguages ? list.value : ''
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
    setGuess({ country: chosen || (countryOfTimeZone(timeZone, ofLanguages) ?? ofLanguages), isFinal: true })
  }, [form, ofLanguages])
  return guess
}
