import { defineConfig } from 'tollgate'

export default defineConfig({
  appName: 'Notes',
  // This application's origin may call with cookies. In development every address of this machine may; in production
  // (https://notes.example.com beside https://accounts.example.com) this line allows the calls.
  trustedOrigins: ['http://localhost:5173'],
})
