import shipped from './tollgate.config.ts'

// The same with a signed copy of the session in a cookie.
export default { ...shipped, session: { cookieCache: { enabled: true } } }
