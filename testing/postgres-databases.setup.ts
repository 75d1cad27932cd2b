import { useTestDatabases } from '../packages/server/src/testing.ts'
import { emptyDatabase } from './postgres-databases.ts'

// Each test server of the project `postgres` has a database of its own.
useTestDatabases(emptyDatabase)
