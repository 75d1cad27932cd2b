/** The forms of processors that bring their own, loaded by what they pay. */
export const processors = { stripe: async () => (await import('./stripe-payment.tsx')).stripePayment }
