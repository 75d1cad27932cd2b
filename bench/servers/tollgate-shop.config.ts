// As in tollgate.config.ts, with every organization allowed to sell, and test cards that production takes only where they are named.
export default {
  rateLimit: { enabled: false },
  hooks: { sendEmail: () => {} },
  billing: { whoMaySell: 'everyone', processors: { sandbox: true } },
}
