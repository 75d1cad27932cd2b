import { createServer } from 'node:http'
import { answer } from './answer.ts'

// The floor: Node's own HTTP server with an answer that is known beforehand.

const body = Buffer.from(answer)
const headers = { 'content-type': 'application/json', 'content-length': body.length }

const server = createServer((_request, response) => {
  response.writeHead(200, headers)
  response.end(body)
})
server.listen(Number(process.env.PORT), '127.0.0.1')
process.on('SIGTERM', () => process.exit())
