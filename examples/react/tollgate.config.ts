import { defineConfig } from 'tollgate'

export default defineConfig({
  appName: 'Notes',
  // This application's origin may call with cookies. In development every address of this machine may anyway; on a real
  // one (https://notes.example.com beside https://accounts.example.com) this line is what lets the calls through.
  trustedOrigins: ['http://localhost:5173'],
})
