/** Form errors without a field, in a live region. */
export function Refusals({ messages }: { messages: readonly string[] }) {
  if (messages.length === 0) return null
  return (
    <div className="notice" data-tone="danger">
      <ul>
        {messages.map((message) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
    </div>
  )
}
