/** What is wrong with a form and stands beside none of its fields; within a region that says it. */
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
