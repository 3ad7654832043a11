// Settling what a payer has signed. In this order:
//
//   1. the payment: whose, in which state, not over by the time of the chain
//   2. the requirements against its quote, field by field
//   3. times, amount, recipient, nonce
//   4. the signature, worked out here
//   5. the chain: is it free, is the money there, would it work now
//   6. one transaction: the settlement with its two unique keys, the payment's next state, the
//      transaction that is to be sent, the idempotency key, the events
//   7. the sender gives it a number, signs it, stores the bytes, sends them
//   8. waiting for what the chain says (`SettlementWaiting`), for a while
//
// Whatever dies after 6, the jobs go on from the stored rows. A refusal is only given before 6, or
// when the chain has decided: in between the answer is "not known yet".

import { ServiceError } from "../errors.ts";
import { decideAgain, storeAnswer } from "../idempotency/decide-again.ts";
import { outgoingValues } from "../sending/model.ts";
import type { OutgoingDraft } from "../sending/model.ts";
import type { Owner } from "../owner.ts";
import type { ChainHead } from "../ports/chain.ts";
import { UniqueViolation } from "../ports/database.ts";
import type { Database } from "../ports/database.ts";
import type { Identifiers } from "../ports/identifiers.ts";
import type { FinishingValues } from "../idempotency/idempotency.sql.ts";
import { queueOutgoing } from "../sending/queue.sql.ts";
import { insertSettlement } from "./settling.sql.ts";
import type { SettlementStatus } from "../database/tables/x402.ts";
import { settleArrived } from "./arrived.ts";
import { checkOnChain, checkOwner, checkPayer, searchFrom, settleAction } from "./chain-checks.ts";
import { isSigned, kindOf, placeOf, recoveredFrom } from "./checks.ts";
import type { SettlePlace, Terms } from "./checks.ts";
import { headOf } from "./chain-view.ts";
import type { X402Chain } from "./chain-view.ts";
import { settlementsTogether } from "./model.ts";
import type { CheckedAuthorization, SettleCommand } from "./model.ts";
import { checkCost } from "./gas-cost.ts";
import type { CostPorts } from "./gas-cost.ts";
import { checkLinkWay, leastRaw, overdue, readFacts, stateRefusal } from "./payable.ts";
import type { Facts } from "./payable.ts";
import type { ReconcilerPorts } from "./reconciler.ts";
import { findSettlement } from "./reconciler.sql.ts";
import { isX402Code, requirementsMismatch, x402Refusal } from "./refusals.ts";
import { columnsOf, isOfAuthorization, isSameRequest, openResultOf, resultOf } from "./stored.ts";
import type { SettleResult } from "./stored.ts";
import { SettlementQueue, SettlementWaiting } from "./waiting.ts";
import type { WaitingPorts } from "./waiting.ts";

export interface SettlingPorts extends ReconcilerPorts, CostPorts, WaitingPorts {
  readonly identifiers: Identifiers;
}

/** The request's key, if it has one: what is stored under it when the authorization is accepted. */
export type SettleKey = (accepted: Omit<SettleResult, "isReplayed">) => FinishingValues;

interface Accepting {
  readonly owner: Owner;
  readonly facts: Facts;
  readonly checked: CheckedAuthorization;
  readonly place: X402Chain;
  readonly fromBlock: bigint;
  /** before it was sent; undefined: what was authorized has moved before */
  readonly head: ChainHead | undefined;
  readonly finish: SettleKey | undefined;
}

/** What it has to leave, when it is in the queue or will not be. */
interface Line {
  leave: () => void;
}

interface Asked extends Pick<Accepting, "owner" | "facts" | "finish"> {
  readonly line: Line;
}

export class X402Settling {
  readonly #ports: SettlingPorts;
  readonly #line: SettlementQueue;
  /** by chain */
  readonly #waiting: ReadonlyMap<string, SettlementWaiting>;

  constructor(ports: SettlingPorts) {
    this.#ports = ports;
    this.#line = new SettlementQueue(ports);
    this.#waiting = new Map(
      ports.chains.map((place) => [place.chain.chainId, new SettlementWaiting(ports, place)]),
    );
  }

  /**
   * Throws `payment_not_found`, `payment_already_settled`, `settlement_in_progress`,
   * `payment_not_payable`, every `x402_` code, `rate_limited`, `chain_unavailable`; where too many wait
   * `service_unavailable`.
   */
  async settle(
    owner: Owner,
    command: SettleCommand,
    finish: SettleKey | undefined,
  ): Promise<SettleResult> {
    const accepted = await decideAgain("payment", async () => {
      const facts = await this.#facts(owner, command.paymentId);
      const known = facts.settlements.find((row) => isSameRequest(row, command));
      if (known !== undefined) {
        // A key that comes with it is used up, though it was accepted without one, or with another.
        const accepted = { paymentId: command.paymentId, isSettled: false, txHash: "" };
        await this.#finish(this.#ports.database, finish?.(accepted));
        return { id: known.id, chainId: known.chain_id, head: undefined, isReplayed: true };
      }
      const line: Line = { leave: () => undefined };
      const decided = await this.#checkAndAccept({ owner, facts, line, finish }, command).finally(
        () => line.leave(),
      );
      if (decided === undefined) return false;
      if ("arrived" in decided) return decided;
      const { accepting, id: accepted } = decided;
      await this.#ports.reached?.("accepted");
      await this.#send(accepting);
      const { checked, head } = accepting;
      return { id: accepted, chainId: checked.chainId, head, isReplayed: false };
    });
    if ("arrived" in accepted) return accepted.arrived;
    const { id, chainId, head, isReplayed } = accepted;
    return { ...(await this.#wait(chainId, id, head)), isReplayed };
  }

  /** Undefined: the payment has changed in between, and nothing was written. */
  async #checkAndAccept({ owner, facts, line, finish }: Asked, command: SettleCommand) {
    const accepting = await this.#check({ owner, facts, line }, command);
    if ("arrived" in accepting) {
      await this.#finish(this.#ports.database, finish?.(accepting.arrived));
      return accepting;
    }
    const id = await this.#accept({ ...accepting, finish });
    return id === undefined ? undefined : { accepting, id };
  }

  async #wait(chainId: string, id: string, head: ChainHead | undefined) {
    const waiting = this.#waiting.get(chainId);
    if (waiting !== undefined) return waiting.wait(id, head);
    // Nobody can look: what is known of it is told.
    const [row] = await this.#ports.database.run(findSettlement, { id });
    if (row === undefined) throw new Error(`${id} was accepted, and is not there`);
    return resultOf(row) ?? openResultOf(row);
  }

  #facts(owner: Owner, paymentId: string): Promise<Facts> {
    return readFacts(this.#ports.database, owner, { paymentId, missing: "payment_not_found" });
  }

  async #check(
    { owner, facts, line }: Omit<Asked, "finish">,
    command: SettleCommand,
  ): Promise<Omit<Accepting, "finish"> | { readonly arrived: SettleResult }> {
    const { database, clock } = this.#ports;
    // Of an authorization that is known, what was changed is named before the state (threat 46).
    const isKnown = facts.settlements.some((row) => isOfAuthorization(row, command));
    const refusal = stateRefusal(facts);
    if (!isKnown && refusal !== undefined) return this.#arrived(facts, command, refusal);
    const { quote, place } = await this.#place(facts, command);
    const payment = { ...facts.payment, expiresAt: facts.payment.expires_at };
    const leastOf = leastRaw(facts, quote.quoted, command.requirements);
    const terms = { payment, place: quote, payTo: place.settlementAddress, leastRaw: leastOf };
    if (isKnown) {
      recoveredFrom(place.chain, command, { ...terms, leastRaw: 1n, nowSeconds: undefined });
      if (refusal !== undefined) throw refusal;
    }
    // Before the chain is asked anything for it. What waits for its usage stands in no line, and what nobody has
    // signed takes nobody's place: it is refused below.
    const isSent = command.requirements.scheme === "exact" || facts.usage !== undefined;
    if (isSent && isSigned(place.chain, command, terms)) {
      line.leave = await this.#line.enter(place, owner, facts.payment.id);
    }
    const head = await headOf(place.chain);
    if (head.time > payment.expiresAt) return this.#arrived(facts, command, overdue(facts));
    const now = Math.max(head.time.getTime(), clock.nowMilliseconds());
    const nowSeconds = BigInt(Math.floor(now / 1000));
    const checked = await this.#inTimeOrUsed(place, command, { ...terms, nowSeconds });
    await checkOwner(database, checked, payment.id);
    await checkPayer(this.#ports, checked);
    const fromBlock = await this.#searchFrom(checked, facts, head);
    const amountRaw = amountToMove(checked, facts) ?? checked.authorization.amountRaw;
    let isMoved = false;
    if (amountRaw > 0n) {
      const standing = await checkOnChain(database, place, { checked, amountRaw, fromBlock });
      const least = leastRaw(facts, quote.quoted, { scheme: checked.scheme, ...standing });
      if (checked.authorization.amountRaw < least) {
        throw requirementsMismatch(kindOf(command), "max_amount_required");
      }
      isMoved = standing.usedIn !== undefined;
      if (!isMoved) {
        const { settlementAddress: account } = place;
        const isByLink = command.isByLink === true;
        await checkCost(this.#ports, { merchantId: owner.merchantId, account, checked, isByLink });
      }
    }
    return { owner, facts, checked, place, fromBlock, head: isMoved ? undefined : head };
  }

  /** Throws the refusal, unless the money of the authorization is here already (threat 93). */
  async #arrived(
    facts: Facts,
    command: SettleCommand,
    refusal: ServiceError,
  ): Promise<{ readonly arrived: SettleResult }> {
    const payment = { ...facts.payment, expiresAt: facts.payment.expires_at };
    // What was accepted to be divided by its usage is not divided otherwise: nobody has signed the scheme.
    const isUpto = facts.settlements.some(
      (row) => row.scheme === "upto" && isOfAuthorization(row, command),
    );
    const found = isUpto ? undefined : await this.#checkable(facts, command);
    if (found === undefined) throw refusal;
    const { place, checked, quoted } = found;
    await checkOwner(this.#ports.database, checked, payment.id);
    const fromBlock = await this.#searchFrom(checked, facts, await headOf(place.chain));
    const leastOf = (usedIn: string) => leastRaw(facts, quoted, { scheme: checked.scheme, usedIn });
    const wish = { payment, place, checked, fromBlock, leastOf };
    const arrived = await settleArrived(this.#ports, wish);
    if (arrived === undefined) throw refusal;
    return { arrived };
  }

  /** Undefined: it is no authorization for this payment, whatever the chain says of it. */
  async #checkable(facts: Facts, command: SettleCommand) {
    const payment = { ...facts.payment, expiresAt: facts.payment.expires_at };
    try {
      const { quote, place } = await this.#place(facts, command);
      const payTo = place.settlementAddress;
      const terms = { payment, place: quote, payTo, leastRaw: 1n, nowSeconds: undefined };
      return { place, quoted: quote.quoted, checked: recoveredFrom(place.chain, command, terms) };
    } catch (error) {
      if (error instanceof ServiceError && isX402Code(error.code)) return undefined;
      throw error;
    }
  }

  /** Past its end it is taken all the same if it was used before: then the chain decides. */
  async #inTimeOrUsed(
    place: X402Chain,
    command: SettleCommand,
    terms: Terms,
  ): Promise<CheckedAuthorization> {
    try {
      return recoveredFrom(place.chain, command, terms);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== "x402_expired") throw error;
      const checked = recoveredFrom(place.chain, command, { ...terms, nowSeconds: undefined });
      const { isUsed } = await place.chain.authorizationState(checked.authorization);
      if (!isUsed) throw error;
      return checked;
    }
  }

  #searchFrom(checked: CheckedAuthorization, { payment }: Facts, head: ChainHead) {
    const since = { createdAt: payment.created_at, headNumber: head.number };
    return searchFrom(this.#ports.database, checked.chainId, since);
  }

  async #place(
    facts: Facts,
    command: SettleCommand,
  ): Promise<{ readonly quote: SettlePlace; readonly place: X402Chain }> {
    const { catalog, chains } = this.#ports;
    const deployments = await catalog.allDeployments();
    const { payment, usage } = facts;
    const quote = placeOf({ ...payment, expiresAt: payment.expires_at }, command, deployments);
    const place = chains.find(({ chain }) => chain.chainId === quote.quoted.chainId);
    if (place === undefined) {
      throw new ServiceError("chain_unavailable", "This chain is not connected.");
    }
    if (usage !== undefined) {
      // What was used of it was reported before: then it is upto, and there.
      if (command.requirements.scheme !== "upto") {
        throw requirementsMismatch(kindOf(command), "scheme");
      }
      if (usage.deployment_id !== quote.quoted.deploymentId) {
        throw requirementsMismatch(kindOf(command), "asset");
      }
    }
    checkLinkWay(command, quote, usage);
    return { quote, place };
  }

  /** Undefined: it, or whose authorization it is, has changed in between, and nothing was written. */
  async #accept(accepting: Accepting): Promise<string | undefined> {
    const { owner, facts, checked, finish } = accepting;
    const { database, identifiers, progress } = this.#ports;
    const { merchantId, environment } = owner;
    const id = identifiers.next("stl");
    const amountRaw = amountToMove(checked, facts);
    const status = statusOf(amountRaw);
    const paymentId = facts.payment.id;
    const values = {
      ...columnsOf(checked),
      id,
      merchantId,
      environment,
      paymentId,
      versionRead: facts.payment.version,
      amountRaw,
      status,
      fromBlock: accepting.fromBlock,
      now: this.#ports.clock.now(),
    };
    const accepted = { paymentId, isSettled: status === "unused", txHash: "" };
    try {
      const isWritten = await database.transaction(
        async (inside) => {
          if ((await inside.run(insertSettlement, values)).length === 0) return false;
          await this.#finish(inside, finish?.(accepted));
          if (status === "queued") await this.#queue(inside, id, accepting);
          await progress.refresh(inside, [paymentId]);
          return true;
        },
        settlementsTogether(checked.chainId, paymentId),
      );
      return isWritten ? id : undefined;
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error;
      if (error.constraint === "x402_settlements_of_payment") return undefined;
      if (error.constraint !== "x402_settlements_authorization") throw error;
      const kind = { scheme: checked.scheme, method: checked.authorization.method };
      throw x402Refusal("x402_authorization_used", kind);
    }
  }

  async #finish(inside: Database, values: FinishingValues | undefined): Promise<void> {
    if (values !== undefined) await storeAnswer(inside, values);
  }

  /**
   * Also where somebody has submitted it already: then it is taken back with the first look, and
   * where a reorganisation takes that away in between it is sent.
   */
  async #queue(inside: Database, id: string, { checked, facts, place }: Accepting): Promise<void> {
    const amountRaw = amountToMove(checked, facts) ?? checked.authorization.amountRaw;
    const draft = settlementDraft(id, place.settlementAddress, { ...checked, amountRaw });
    await inside.run(queueOutgoing, outgoingValues(this.#ports, draft));
  }

  /** What goes wrong here is tried again by the jobs; the authorization is accepted all the same. */
  async #send({ place, checked }: Pick<Accepting, "place" | "checked">): Promise<void> {
    await this.#ports.sendNow(checked.chainId, place.settlementAddress).catch(() => undefined);
  }
}

/** Null: it is not known before the usage is reported, and nothing is sent before. */
function amountToMove({ scheme, authorization }: CheckedAuthorization, facts: Facts) {
  const { amountRaw, method } = authorization;
  if (scheme === "exact") return amountRaw;
  const actualRaw = facts.usage === undefined ? null : BigInt(facts.usage.actual_raw);
  // Nothing was used: then nothing is moved, by neither method.
  if (actualRaw === 0n) return 0n;
  return method === "eip3009" ? amountRaw : actualRaw;
}

function statusOf(amountRaw: bigint | null): SettlementStatus {
  if (amountRaw === null) return "waiting";
  return amountRaw === 0n ? "unused" : "queued";
}

/** The transaction that settles it. */
export function settlementDraft(
  settlementId: string,
  account: string,
  { amountRaw, ...signed }: CheckedAuthorization & { readonly amountRaw: bigint },
): OutgoingDraft {
  const { chainId, deploymentId } = signed;
  return {
    chainId,
    account,
    signsAs: { role: "settlement" },
    purpose: "x402_settlement",
    subjectId: settlementId,
    deploymentId,
    action: settleAction(signed, amountRaw),
  };
}
