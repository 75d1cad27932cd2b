import { createServer } from 'node:http'
import { createRemoteJWKSet, errors, jwtVerify } from 'jose'

const tollgate = process.env.TOLLGATE_URL ?? 'http://localhost:3000'

// Fetched with the first token, cached, and fetched again when a token names an unknown key.
const keys = createRemoteJWKSet(new URL('/api/auth/jwks', tollgate))

const server = createServer(async (request, response) => {
  const answer = (status: number, body: object) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(`${JSON.stringify(body)}\n`)
  }
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
  if (!token) return answer(401, { message: 'Bring a token' })
  try {
    // Issuer and audience are Tollgate's address, unless its configuration names others (jwt.issuer, jwt.audience).
    const { payload } = await jwtVerify(token, keys, { issuer: tollgate, audience: tollgate, algorithms: ['EdDSA'] })
    answer(200, { owner: payload.sub, email: payload.email, notes: [] })
  } catch (error) {
    if (isRefusal(error)) return answer(401, { message: error.message })
    console.error(error)
    answer(503, { message: 'The keys cannot be fetched right now' })
  }
})

/** Whether the token is invalid, and not the fetch of the keys. */
function isRefusal(error: unknown): error is errors.JOSEError {
  return (
    error instanceof errors.JWTExpired ||
    error instanceof errors.JWTClaimValidationFailed ||
    error instanceof errors.JWSSignatureVerificationFailed ||
    error instanceof errors.JWSInvalid ||
    error instanceof errors.JWTInvalid ||
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JOSENotSupported ||
    error instanceof errors.JOSEAlgNotAllowed
  )
}

const port = Number(process.env.PORT ?? 4000)
server.listen(port, '127.0.0.1', () => console.log(`Notes on http://localhost:${port}`))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => server.close())
