// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IPermit2} from "./LocalPermit2.sol";

/// What both x402 proxies share: the payer signs for whom the money is (the witness), so whoever
/// calls cannot send it elsewhere. They stand at their usual addresses on the local chain and have
/// neither constructor nor immutables, so their code can simply be put there.
abstract contract LocalProxy is ReentrancyGuardTransient {
    error InvalidDestination();
    error InvalidOwner();
    error PaymentTooEarly();
    error Permit2612AmountMismatch();

    event Settled();
    event SettledWithPermit();

    struct EIP2612Permit {
        uint256 value;
        uint256 deadline;
        bytes32 r;
        bytes32 s;
        uint8 v;
    }

    /// What is moved, apart from what the payer has permitted.
    struct Move {
        address owner;
        address to;
        uint256 amount;
        uint256 validAfter;
        bytes32 witness;
        string witnessTypeString;
    }

    // solhint-disable-next-line var-name-mixedcase
    IPermit2 public constant PERMIT2 = IPermit2(0x000000000022D473030F116dDEE9F6B43aC78BA3);

    function _move(
        IPermit2.PermitTransferFrom calldata permit,
        Move memory move,
        bytes calldata signature
    ) internal {
        require(move.owner != address(0), InvalidOwner());
        require(move.to != address(0), InvalidDestination());
        require(block.timestamp >= move.validAfter, PaymentTooEarly());
        PERMIT2.permitWitnessTransferFrom(
            permit,
            IPermit2.SignatureTransferDetails({to: move.to, requestedAmount: move.amount}),
            move.owner,
            move.witness,
            move.witnessTypeString,
            signature
        );
    }

    /// A failure is not the end: somebody may have used the same approval already.
    function _approve(
        IPermit2.PermitTransferFrom calldata permit,
        address owner,
        EIP2612Permit calldata approval
    ) internal {
        require(approval.value == permit.permitted.amount, Permit2612AmountMismatch());
        try
            IERC20Permit(permit.permitted.token).permit(
                owner,
                address(PERMIT2),
                approval.value,
                approval.deadline,
                approval.v,
                approval.r,
                approval.s
            )
        {} catch {}
    }
}

/// Moves all that was permitted; anybody may call it.
contract LocalExactProxy is LocalProxy {
    error InvalidAmount();

    struct Witness {
        address to;
        uint256 validAfter;
    }

    string public constant WITNESS_TYPE_STRING =
        "Witness witness)TokenPermissions(address token,uint256 amount)Witness(address to,uint256 validAfter)";
    bytes32 public constant WITNESS_TYPEHASH = keccak256("Witness(address to,uint256 validAfter)");

    function settle(
        IPermit2.PermitTransferFrom calldata permit,
        address owner,
        Witness calldata witness,
        bytes calldata signature
    ) external nonReentrant {
        _settle(permit, owner, witness, signature);
        emit Settled();
    }

    function settleWithPermit(
        EIP2612Permit calldata permit2612,
        IPermit2.PermitTransferFrom calldata permit,
        address owner,
        Witness calldata witness,
        bytes calldata signature
    ) external nonReentrant {
        _approve(permit, owner, permit2612);
        _settle(permit, owner, witness, signature);
        emit SettledWithPermit();
    }

    function _settle(
        IPermit2.PermitTransferFrom calldata permit,
        address owner,
        Witness calldata witness,
        bytes calldata signature
    ) private {
        require(permit.permitted.amount > 0, InvalidAmount());
        Move memory move = Move({
            owner: owner,
            to: witness.to,
            amount: permit.permitted.amount,
            validAfter: witness.validAfter,
            witness: keccak256(abi.encode(WITNESS_TYPEHASH, witness)),
            witnessTypeString: WITNESS_TYPE_STRING
        });
        _move(permit, move, signature);
    }
}

/// Moves up to what was permitted; only the facilitator whom the payer has signed for may call it.
contract LocalUptoProxy is LocalProxy {
    error AmountExceedsPermitted();
    error UnauthorizedFacilitator();

    struct Witness {
        address to;
        address facilitator;
        uint256 validAfter;
    }

    string public constant WITNESS_TYPE_STRING =
        "Witness witness)TokenPermissions(address token,uint256 amount)Witness(address to,address facilitator,uint256 validAfter)";
    bytes32 public constant WITNESS_TYPEHASH =
        keccak256("Witness(address to,address facilitator,uint256 validAfter)");

    function settle(
        IPermit2.PermitTransferFrom calldata permit,
        uint256 amount,
        address owner,
        Witness calldata witness,
        bytes calldata signature
    ) external nonReentrant {
        _settle(permit, amount, owner, witness, signature);
        emit Settled();
    }

    function settleWithPermit(
        EIP2612Permit calldata permit2612,
        IPermit2.PermitTransferFrom calldata permit,
        uint256 amount,
        address owner,
        Witness calldata witness,
        bytes calldata signature
    ) external nonReentrant {
        _approve(permit, owner, permit2612);
        _settle(permit, amount, owner, witness, signature);
        emit SettledWithPermit();
    }

    function _settle(
        IPermit2.PermitTransferFrom calldata permit,
        uint256 amount,
        address owner,
        Witness calldata witness,
        bytes calldata signature
    ) private {
        require(msg.sender == witness.facilitator, UnauthorizedFacilitator());
        require(amount <= permit.permitted.amount, AmountExceedsPermitted());
        Move memory move = Move({
            owner: owner,
            to: witness.to,
            amount: amount,
            validAfter: witness.validAfter,
            witness: keccak256(abi.encode(WITNESS_TYPEHASH, witness)),
            witnessTypeString: WITNESS_TYPE_STRING
        });
        _move(permit, move, signature);
    }
}
