import { packageName, resolvedImports } from './modules.ts'
import { type Finding, isTest, isTypeScript, type Project, type Rule } from './project.ts'

/**
 * Follows what really runs: types that are stripped cost a browser nothing. The dashboard's editors check with the
 * contract's schemas: they come with the editors' pages, after the first screen (pages/build.test.ts).
 */
export const browserZod: Rule = {
  name: 'zod in the browser',
  why: 'zod weighs more than a whole hosted page, so client, react and the hosted pages import it as types only',
  check: (project) =>
    project.files
      .filter((file) => isBrowserCode(file) && isTypeScript(file) && !isTest(file))
      .flatMap((file) =>
        resolvedImports(project, file).flatMap(({ specifier, line, typeOnly, target }): Finding[] => {
          // An import of another browser file is that file's matter, and is reported there.
          if (typeOnly || (target !== null && isBrowserCode(target))) return []
          const way =
            target === null ? (isZod(specifier) ? [specifier] : undefined) : wayToZod(project, target, new Set())
          return way ? [{ file, line, message: `${specifier} brings zod: ${way.join(' → ')}` }] : []
        }),
      ),
}

const isBrowserCode = (file: string): boolean =>
  /^(packages\/(client|react)|apps\/web)\/src\/(?!dashboard\/)/.test(file)
const isZod = (specifier: string): boolean => packageName(specifier) === 'zod'

function wayToZod(project: Project, file: string, seen: Set<string>): string[] | undefined {
  if (seen.has(file)) return undefined
  seen.add(file)
  for (const { specifier, typeOnly, target } of resolvedImports(project, file)) {
    if (typeOnly) continue
    if (isZod(specifier)) return [file, specifier]
    const further = target === null ? undefined : wayToZod(project, target, seen)
    if (further) return [file, ...further]
  }
  return undefined
}
