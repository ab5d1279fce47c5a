/** The operations these tests need of a remote-controlled browser. */
export interface RemoteBrowser {
  /** Opens a URL and waits for its load event. */
  open(url: string): Promise<void>
  /** Evaluates an expression in the page; its value is transferred as JSON. */
  evaluate(expression: string): Promise<unknown>
  close(): Promise<void>
}
