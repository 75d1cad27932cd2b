import { useTestDatabases } from '../packages/server/src/testing.ts'
import { copyOfMigrated } from './sqlite-databases.ts'

// Each test server of the project `sqlite` has a database in memory of its own, empty but for its tables.
useTestDatabases(copyOfMigrated)
