// The same with a signed copy of the session in a cookie.
export default { rateLimit: { enabled: false }, session: { cookieCache: { enabled: true } } }
