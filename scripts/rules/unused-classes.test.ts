import { expect, test } from 'vitest'
import { projectOf } from './project.ts'
import { unusedClasses } from './unused-classes.ts'

const sheet = 'apps/web/src/dashboard/dashboard.css'
const page = 'apps/web/src/dashboard/page.tsx'

test('a class that no element has is found where a selector first names it', async () => {
  const project = projectOf({
    [sheet]: '.page {\n  gap: 1.5px;\n  & > .gone:hover { color: red }\n}\n.gone { gap: 0 }',
    [page]: '// gone\nexport const Page = () => <main className="page" />',
    'apps/web/src/dashboard/page.test.tsx': "const gone = 'gone'",
  })

  expect(await unusedClasses.check(project)).toEqual([
    { file: sheet, line: 3, message: 'no element has the class gone' },
  ])
})

test('strings, templates and written HTML name classes, and libraries set their own', async () => {
  const project = projectOf({
    [sheet]: '/* .gone */ .one.two, .three { background: url(a.svg) } .four {} .mantine-Input-root {}',
    [page]: 'const wide = true\nexport const Page = () => <p className={wide ? "one" : `two`} />',
    'packages/server/src/pages/foot.ts': 'export const foot = \'<footer class="three">\'',
    'packages/react/src/part.tsx': 'export const Part = () => <Panel className="four" />',
  })

  expect(await unusedClasses.check(project)).toEqual([])
})
