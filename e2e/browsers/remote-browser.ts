/** A browser that another program drives, as far as these journeys need one. */
export interface RemoteBrowser {
  /** Opens an address and waits until the page is loaded. */
  open(url: string): Promise<void>
  /** The value of an expression in the page; what it stands for must survive JSON. */
  evaluate(expression: string): Promise<unknown>
  close(): Promise<void>
}
