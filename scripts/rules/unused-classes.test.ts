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

const module = 'apps/web/src/dashboard/parts/part.module.css'
const part = 'apps/web/src/dashboard/parts/part.tsx'

test('a class of a module that its component does not take is found, whatever else has that name', async () => {
  const project = projectOf({
    [module]: '.used {}\n.gone {}\n.other {}',
    [part]: "import styles from './part.module.css'\nexport const Part = () => <p className={styles.used} />",
    [page]:
      "import styles from './parts/part.module.css'\nexport const Page = () => <p className={styles['other'] + 'gone'} />",
  })

  expect(await unusedClasses.check(project)).toEqual([
    { file: module, line: 2, message: 'no element has the class gone' },
  ])
})

test('a class that a component takes and the module lacks is found, and one that no reader can name', async () => {
  const project = projectOf({
    [module]: '.used :global(.apart) {}',
    [part]:
      "import styles from './part.module.css'\nexport const parts = [styles.used,\n  styles.apart,\n  styles[tone], 'apart']",
  })

  expect(await unusedClasses.check(project)).toEqual([
    { file: part, line: 3, message: 'part.module.css has no class apart' },
    { file: part, line: 4, message: 'take each class of part.module.css by its name' },
  ])
})

test('a class in :global() is one that an element writes', async () => {
  const project = projectOf({
    [module]: '.used:global(.end) :global(.u-cursor-x) {}\n:global(.gone) .used {}',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the code of a component
    [part]: "import styles from './part.module.css'\nexport const Part = () => <p className={`${styles.used} end`} />",
  })

  expect(await unusedClasses.check(project)).toEqual([
    { file: module, line: 2, message: 'no element has the class gone' },
  ])
})
