// autocannon comes without types; this is the part of it that the benchmark uses.
declare module "autocannon" {
  interface Options {
    readonly url: string;
    readonly method: "GET" | "POST";
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly connections: number;
    /** seconds */
    readonly duration: number;
  }
  interface Result {
    /** latencies in milliseconds */
    readonly latency: { readonly p50: number; readonly p99: number };
    readonly requests: { readonly total: number; readonly average: number };
    /** seconds */
    readonly duration: number;
    readonly errors: number;
    readonly timeouts: number;
    readonly non2xx: number;
  }
  export default function autocannon(options: Options): Promise<Result>;
}
