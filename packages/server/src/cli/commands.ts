import { adminCreate } from './admin.command.ts'
import { clockAdvance } from './clock.command.ts'
import type { Command } from './command.ts'
import { doctor } from './doctor.command.ts'
import { exportCommand } from './export.command.ts'
import { importCommand } from './import.command.ts'
import { migrateCommand } from './migrate.command.ts'
import { organizationCreate } from './organization.command.ts'
import { seed } from './seed.command.ts'
import { dev, start } from './serve.command.ts'
import { tokenCreate } from './token.command.ts'
import { version } from './version.command.ts'

/** Every command, in the order of `tollgate help`. */
export const commands: readonly Command[] = [
  dev,
  start,
  migrateCommand,
  seed,
  adminCreate,
  organizationCreate,
  tokenCreate,
  clockAdvance,
  doctor,
  exportCommand,
  importCommand,
  version,
]
