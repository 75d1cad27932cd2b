import { askedAgain } from './asked-again.ts'
import { browserZod } from './browser-zod.ts'
import { casts } from './casts.ts'
import { forms } from './forms.ts'
import { glossary } from './glossary.ts'
import { handlers } from './handlers.ts'
import { imports } from './imports.ts'
import { licences } from './licences.ts'
import { lock } from './lock.ts'
import { lockOrder } from './lock-order.ts'
import { plainEnglish } from './plain-english.ts'
import type { Rule } from './project.ts'
import { registries } from './registries.ts'
import { sessions } from './sessions.ts'
import { skippedTests } from './skipped-tests.ts'
import { texts } from './texts.ts'
import { time } from './time.ts'
import { tokens } from './tokens.ts'
import { unusedClasses } from './unused-classes.ts'

/** The house rules, in the order in which their findings are shown. */
export const rules: readonly Rule[] = [
  imports,
  browserZod,
  time,
  handlers,
  registries,
  sessions,
  forms,
  askedAgain,
  lockOrder,
  skippedTests,
  casts,
  plainEnglish,
  texts,
  glossary,
  tokens,
  unusedClasses,
  lock,
  licences,
]
