import config from './tollgate.config.ts'

/** The same with tokens for other services, as the shipped configuration has them. */
export default { ...config, jwt: {} }
