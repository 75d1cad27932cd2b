// Tollgate as it is shipped, but without rate limits, which would refuse the load.
export default { rateLimit: { enabled: false } }
