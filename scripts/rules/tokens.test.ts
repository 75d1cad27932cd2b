import { expect, test } from 'vitest'
import { projectOf } from './project.ts'
import { tokens } from './tokens.ts'

const file = 'packages/react/src/elements/button.css'

test.each([
  'color: #fff',
  'background: rgb(0 0 0 / 50%)',
  'border: 1px solid oklch(.5 .1 200)',
  'color: white',
  'border-radius: 7px',
  'border-start-start-radius: var(--tg-r-s) 4px',
])('%s', async (declaration) => {
  const findings = await tokens.check(projectOf({ [file]: `[data-tg] {\n  ${declaration};\n}` }))

  expect(findings).toEqual([{ file, line: 2, message: expect.stringContaining('is a raw') }])
})

test('tokens, system colours, round corners and the token file are fine', async () => {
  const project = projectOf({
    [file]: `/* #fff */ #fab, .white:hover, [data-tint="red"] { color: var(--tg-ink); border-radius: var(--tg-r-m) 0 50% }
      @media (forced-colors: active) { a { color: CanvasText; background: transparent; mask: url(#cut) } }
      a { white-space: nowrap; color: color-mix(in oklch, var(--tg-ink) 20%, transparent); padding: 7px }`,
    'packages/react/src/tokens/tokens.css': ':root { --tg-ink: #131c1e; --tg-r-m: 7px }',
    'packages/server/src/foundation/mail/mail.css': 'a { color: #131c1e }',
  })

  expect(await tokens.check(project)).toEqual([])
})
