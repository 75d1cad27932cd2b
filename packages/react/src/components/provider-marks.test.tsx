import { socialProviders } from '@tollgate/contract/calls'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ProviderMark } from './provider-marks.tsx'

const drawn = (id: string) => renderToStaticMarkup(<ProviderMark id={id} />)

test('each provider has its own mark, which is small, takes the text colour and is hidden from screen readers', () => {
  for (const id of socialProviders) {
    expect(drawn(id), id).toContain('aria-hidden="true"')
    expect(drawn(id), id).toContain('fill="currentColor"')
    expect(drawn(id).length, id).toBeLessThanOrEqual(600)
  }
  expect(new Set(socialProviders.map(drawn)).size).toBe(socialProviders.length)
})

test('a provider of the configuration has the neutral mark, whatever its id', () => {
  expect(drawn('constructor')).toBe(drawn('our-own'))
  expect(socialProviders.map(drawn)).not.toContain(drawn('our-own'))
})
