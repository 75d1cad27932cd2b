import { type RefObject, useEffect } from 'react'

/** The first invalid field, or else the page's alert. */
export function useFocusOnFailure(form: RefObject<HTMLFormElement | null>, failures: number) {
  useEffect(() => {
    if (failures === 0) return
    // The amount is beside the form, above it. So is the discount code, which no payment fails for.
    const screen = form.current?.closest('[data-tg-screen]')
    const invalid = screen?.querySelector<HTMLElement>('[aria-invalid=true]:not([name=discountCode])')
    const alert = screen?.querySelector<HTMLElement>('[role=alert]')
    const problem = invalid ?? alert
    problem?.focus()
  }, [failures, form])
}
